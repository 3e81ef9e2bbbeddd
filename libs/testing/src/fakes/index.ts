export * from "./behaviour.ts";
export { fakeEmbedding } from "./fake-embedding.ts";
export * from "./fake-hub.ts";
export { fakeImage } from "./fake-image.ts";
export * from "./fake-llm.ts";
export * from "./fake-mcp.ts";
export * from "./fake-otlp.ts";
export * from "./fake-s3.ts";
export * from "./fake-site.ts";
