export { startGateway, type GatewayOptions } from "./gateway.ts";
