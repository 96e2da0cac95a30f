"""DMN with facts and the steps from it to DMN+, 1,000 questions: Kumar et al. 2016, Xiong et al. 2016 (arXiv 1603.01417)."""

import sys

from memnet.cli import app

app(["reproduce", "dmn-steps-1k", *sys.argv[1:]])
