export { parseAgentFolders } from "./agent-folders.ts";
export { createFilesystemAgent } from "./filesystem-agent.ts";
