/*
 * A user's slash commands and the `{key}` variables of system prompts. Each is replaced in a single
 * pass: replacements are not expanded again.
 */
/**
 * A standalone command: delimited by whitespace or the text's ends, optionally followed by
 * punctuation.
 */
const command = /(?<=^|\s)\/[\w-]+(?=$|\s|[.,;:!?]+(?:\s|$))/g;
const variable = /\{([A-Za-z0-9_.]+)\}/g;
/** Once a text would grow beyond this, its remaining commands and variables are left unexpanded. */
const longestText = 300_000;

/** Whether the values of commands and variables have to be fetched. */
export const mayHavePlaceholders = (message: string, systemPrompt: string): boolean =>
  message.search(command) >= 0 || systemPrompt.search(variable) >= 0;

/** The commands that a message may contain, in lower case. */
export const listCommands = (message: string): string[] => [
  ...new Set((message.match(command) ?? []).map((found) => found.toLowerCase())),
];

/** Returns the message as model and search receive it. */
export function expandPresets(
  message: string,
  presets: readonly { command: string; prompt: string }[],
): string {
  const prompts = new Map(presets.map((preset) => [preset.command.toLowerCase(), preset.prompt]));
  return replaceBounded(message, command, (found) => prompts.get(found.toLowerCase()));
}

/** Unknown keys are left unchanged. */
export function fillVariables(
  systemPrompt: string,
  variables: Readonly<Record<string, string>>,
): string {
  return replaceBounded(systemPrompt, variable, (found) => {
    const key = found.slice(1, -1);
    return Object.hasOwn(variables, key) ? variables[key] : undefined;
  });
}

function replaceBounded(
  text: string,
  pattern: RegExp,
  find: (found: string) => string | undefined,
): string {
  let room = Math.max(longestText, text.length) - text.length;
  return text.replace(pattern, (found) => {
    const instead = find(found);
    if (instead === undefined || instead.length - found.length > room) return found;
    room -= instead.length - found.length;
    return instead;
  });
}
