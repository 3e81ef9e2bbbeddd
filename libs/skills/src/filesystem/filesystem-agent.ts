import type { Tool } from "../tool.ts";
import { refuseOwnData, type AgentFolder } from "./agent-folders.ts";
import { createReadingTools } from "./reading-tools.ts";
import { createWritingTools } from "./writing-tools.ts";

/**
 * Tools for the files in folders of the server that an admin has allowed. Throws an Error if one of
 * them contains Carrel's own data, which is in the folder `home`, or is part of it.
 */
export function createFilesystemAgent({
  folders,
  home,
}: {
  folders: AgentFolder[];
  home: string;
}): Tool[] {
  refuseOwnData(folders, home);
  const writing = folders.some((folder) => folder.writable) ? createWritingTools(folders) : [];
  return [...createReadingTools(folders), ...writing];
}
