export { connectorsService } from "./connectors.service-definition.ts";
