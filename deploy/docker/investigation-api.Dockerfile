# docker build --file deploy/docker/investigation-api.Dockerfile --tag platform/investigation-api:0.1.0 .
FROM node:20-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && npx nx run investigation-api:build && node deploy/docker/assemble.mjs investigation-api /image

FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /image .
# The one folder that is written, for the embedded database; the rest may be mounted read-only.
RUN install --directory --owner=node --group=node /data
USER 1000:1000
EXPOSE 8080 9080
HEALTHCHECK --interval=10s --start-period=30s CMD ["node", "--eval", "fetch('http://127.0.0.1:9080/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "main.js"]
CMD ["serve"]
