# The web page and its JSON endpoint on a CPU: docker build -t memnet . && docker run --rm -p 127.0.0.1:7860:7860 memnet
FROM python:3.12-slim
COPY . /src
RUN pip install --no-cache-dir --extra-index-url https://download.pytorch.org/whl/cpu -c /src/constraints.txt "/src[demo]" && rm -rf /src
RUN useradd --create-home memnet && install -d -o memnet /memories
USER memnet
WORKDIR /home/memnet
VOLUME /memories
EXPOSE 7860
HEALTHCHECK CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:7860/healthz')"]
ENTRYPOINT ["memnet", "serve", "--host", "0.0.0.0", "--memories", "/memories"]
