export * from "./end-on-signal.ts";
export * from "./infrastructure-module.ts";
export * from "./nest-logger.ts";
export * from "./run-service.ts";
export * from "./service-definition.ts";
export * from "./shared-infrastructure.ts";
export * from "./start-service.ts";
export * from "./trim-when-idle.ts";
