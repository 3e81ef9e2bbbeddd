import type { Tool } from "../tool.ts";
import type { AgentFolder } from "./agent-folders.ts";
import { createReadingTools } from "./reading-tools.ts";
import { createWritingTools } from "./writing-tools.ts";

/** Tools for the files in folders of the server that an admin has allowed. */
export function createFilesystemAgent({ folders }: { folders: AgentFolder[] }): Tool[] {
  const writing = folders.some((folder) => folder.writable) ? createWritingTools(folders) : [];
  return [...createReadingTools(folders), ...writing];
}
