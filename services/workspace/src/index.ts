export { workspaceService } from "./workspace.service-definition.ts";
