export { callPlugin, createPluginTool, pluginSkill, type ReadyPlugin } from "./plugin-tool.ts";
export type { PluginStorage } from "./plugin-runner.ts";
export { proposePermissions } from "./scan-plugin.ts";
export { readPlugin, type ReadPlugin } from "./read-plugin.ts";
export { unpackPlugin } from "./unpack-plugin.ts";
