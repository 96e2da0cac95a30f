"""DMN and DMN+ on 1,000 questions: Kumar et al. 2016 (arXiv 1506.07285), table 1, and Xiong et al. 2016 (1603.01417)."""

import sys

from memnet.cli import app

app(["reproduce", "dmn-1k", *sys.argv[1:]])
