export { startGateway } from "./gateway.ts";
