export * from "./allocator.ts";
export * from "./fields.ts";
export * from "./instance-shape.ts";
export * from "./load-config.ts";
export { mcpResource } from "./mcp-resource.ts";
export * from "./secret.ts";
