export { parseAgentFolders, type AgentFolder } from "./agent-folders.ts";
export { createFilesystemAgent } from "./filesystem-agent.ts";
