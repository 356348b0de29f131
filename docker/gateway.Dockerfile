# The gateway of QR sessions: a program of its own, under a licence of its own (gateway/NOTICE.md).
FROM node:22-bookworm-slim AS build
WORKDIR /srv/gateway
COPY gateway/package.json gateway/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY gateway/tsconfig*.json ./
COPY gateway/src/ src/
RUN npm run --silent build && npm prune --omit=dev --no-audit --no-fund

FROM node:22-bookworm-slim
WORKDIR /srv/gateway
COPY gateway/NOTICE.md gateway/COPYING ./
COPY --from=build /srv/gateway/package.json ./
COPY --from=build /srv/gateway/node_modules/ node_modules/
COPY --from=build /srv/gateway/dist/ dist/
ENV NODE_ENV=production
USER node
EXPOSE 8020
CMD ["node", "dist/main.js"]
