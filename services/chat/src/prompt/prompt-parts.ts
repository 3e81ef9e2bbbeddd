/*
 * Slash commands of a person and `{key}` variables of system prompts. Both are replaced in one
 * pass: what is put in is not
 * looked through again.
 */
/**
 * A command that stands by itself: between blanks or the text's ends, with or without a full stop
 * behind it.
 */
const command = /(?<=^|\s)\/[\w-]+(?=$|\s|[.,;:!?]+(?:\s|$))/g;
const variable = /\{([A-Za-z0-9_.]+)\}/g;
/**
 * A text that would grow beyond this by what is put in keeps the rest of its commands and variables
 * as they are.
 */
const longestText = 300_000;

/** Whether what stands in for commands and variables has to be asked for. */
export const mayHoldParts = (message: string, systemPrompt: string): boolean =>
  message.search(command) >= 0 || systemPrompt.search(variable) >= 0;

/** The message as model and search get it. */
export function expandPresets(
  message: string,
  presets: readonly { command: string; prompt: string }[],
): string {
  const prompts = new Map(presets.map((preset) => [preset.command.toLowerCase(), preset.prompt]));
  return replaceBounded(message, command, (found) => prompts.get(found.toLowerCase()));
}

/** Unknown keys stay as they are. */
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
