# A small image: Debian, Node from npm, the server and the built dashboard. How to run it is in
# docs/operations.md, and the steps that make it are in deploy/build-image.sh.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN --mount=type=cache,target=/root/.npm deploy/build-image.sh install
RUN deploy/build-image.sh prune && deploy/build-image.sh copy /image

FROM debian:13.6-slim
RUN --mount=from=build,source=/app/deploy,target=/mnt /mnt/build-image.sh add-user /
WORKDIR /app
COPY --from=build /image ./
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-semi-space-size=8 \
    PATH=/app/node_modules/.bin:/usr/local/bin:/usr/bin:/bin \
    HOST=0.0.0.0 \
    DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["overworld"]
CMD ["start"]
