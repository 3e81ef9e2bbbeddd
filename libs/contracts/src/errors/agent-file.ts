import type { ErrorDefinition } from "./error-definition.ts";

/**
 * Faults of agents in folders of the server. `path` starts with the name of an allowed folder; what
 * else there is on the server is never told.
 */
export const agentFileErrors = {
  "agent-file.not-allowed": {
    kind: "REFUSED",
    message: '"{{path}}" isn\'t in one of the folders that agents may use.',
  },
  "agent-file.name-unusable": {
    kind: "REFUSED",
    message: '"{{path}}" isn\'t a usable name for a file or folder.',
  },
  "agent-file.folder-read-only": {
    kind: "REFUSED",
    message: 'Agents may only read in the folder "{{folder}}".',
  },
  "agent-file.missing": { kind: "REFUSED", message: '"{{path}}" doesn\'t exist.' },
  "agent-file.exists": { kind: "REFUSED", message: '"{{path}}" already exists.' },
  "agent-file.link": {
    kind: "REFUSED",
    message: '"{{path}}" is or contains a symbolic link, and agents don\'t follow those.',
  },
  "agent-file.not-a-file": { kind: "REFUSED", message: '"{{path}}" isn\'t a regular file.' },
  "agent-file.not-a-folder": { kind: "REFUSED", message: '"{{path}}" isn\'t a folder.' },
  "agent-file.no-permission": {
    kind: "REFUSED",
    message: 'Carrel isn\'t permitted to do this with "{{path}}".',
  },
  "agent-file.too-large": {
    kind: "REFUSED",
    message: '"{{path}}" is larger than the limit of {{megabytes}} MB.',
  },
  "agent-file.not-text": { kind: "REFUSED", message: '"{{path}}" isn\'t a text file.' },
  "agent-file.text-not-found": {
    kind: "REFUSED",
    message: '"{{path}}" doesn\'t contain the text to replace.',
  },
  "agent-file.text-ambiguous": {
    kind: "REFUSED",
    message: '"{{path}}" contains the text to replace {{count}} times.',
  },
  "agent-file.not-encodable": {
    kind: "REFUSED",
    message: 'The encoding of "{{path}}" doesn\'t have all characters of the new text.',
  },
  "agent-file.disk-full": { kind: "REFUSED", message: 'There\'s no space left for "{{path}}".' },
  "agent-file.failed": {
    kind: "REFUSED",
    message: 'The file system reported an error at "{{path}}"{{cause}}.',
  },
} as const satisfies Record<string, ErrorDefinition>;
