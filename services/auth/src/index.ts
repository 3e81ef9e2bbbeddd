export { authService } from "./auth.service-definition.ts";
