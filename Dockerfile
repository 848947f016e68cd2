# A small image: Debian, Node from npm, the server and the built dashboard. How to run it is in
# docs/operations.md.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN --mount=type=cache,target=/root/.npm node scripts/bootstrap.js start
RUN npm prune --omit=dev --ignore-scripts && rm -r node_modules/node-linux-*/include
# A checkout may be readable to its owner alone, and the server runs as another.
RUN chmod -R go=u-w packages
# Sets a database up once: it shows that all is there, and leaves the links between PostgreSQL's
# libraries and the compiled sources, which a read-only container could not write.
RUN DATA_DIR=/tmp/trial node_modules/.bin/node packages/server/bin/overworld migrate && rm -r /tmp/trial

FROM debian:13.6-slim
# PostgreSQL refuses to be root, and asks for its user's name.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin overworld \
 && install --directory --owner=overworld --group=overworld --mode=700 /data
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/packages/contract packages/contract
COPY --from=build /app/packages/server packages/server
COPY --from=build /app/packages/dashboard/dist packages/dashboard/dist
COPY LICENSE ./
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
