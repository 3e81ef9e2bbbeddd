export {
  isLoopbackUrl,
  isMetadataAddress,
  isPublicAddress,
  parseAllowList,
} from "./address-rule.ts";
export { CircuitBreaker } from "./circuit-breaker.ts";
export type { ResolvedAddress } from "./content-address.ts";
export * from "./content-client.ts";
export * from "./egress-error.ts";
export { createNodeAgents } from "./node-agents.ts";
export { applyNetworkSettings } from "./network-settings.ts";
export * from "./provider-fetch.ts";
