import {
  allowedModels,
  allowedModelsLabel,
  isModelAllowed,
  threadModelsLabel,
  type Principal,
  type WorkspaceWire,
} from "@carrel/contracts";
import { languageProviders } from "@carrel/providers";

/** What a thread's owner chose; a null model is the provider's own. */
export interface ThreadModelChoice {
  provider: string;
  model: string | null;
}

/** A provider's name in the interface. */
export const providerName = (id: string): string =>
  languageProviders.find((provider) => provider.id === id)?.name ?? id;

/** A chosen model's name in messages. */
export const modelLabel = ({ provider, model }: ThreadModelChoice): string =>
  model ?? providerName(provider);

/** Reads the choice from a thread's columns. */
export const readThreadModelChoice = (
  row: { chat_provider: string | null; chat_model: string | null } | null,
): ThreadModelChoice | null =>
  row === null || row.chat_provider === null
    ? null
    : { provider: row.chat_provider, model: row.chat_model };

/** Whether this caller may choose the model of a thread. */
export function mayChooseModel(
  { role }: Principal,
  values: Readonly<Record<string, string>>,
): boolean {
  return role !== "default" || values[threadModelsLabel] === "true";
}

/** Whether the admin allows this choice; the workspace's own model is always allowed. */
export function isAllowedChoice(
  choice: ThreadModelChoice,
  values: Readonly<Record<string, string>>,
): boolean {
  const stored = values[allowedModelsLabel];
  return stored === undefined || isModelAllowed(allowedModels.parse(JSON.parse(stored)), choice);
}

/** Whether the model was chosen while it was still allowed. */
export const isWithdrawn = (
  choice: ThreadModelChoice | null,
  asker: Principal,
  values: Readonly<Record<string, string>>,
): choice is ThreadModelChoice =>
  choice !== null && mayChooseModel(asker, values) && !isAllowedChoice(choice, values);

/** The workspace with its thread's model, unless the asker may not choose it (any more). */
export function withThreadModel(
  workspace: WorkspaceWire,
  choice: ThreadModelChoice | null,
  asker: Principal,
  values: Readonly<Record<string, string>>,
): WorkspaceWire {
  return choice === null || !mayChooseModel(asker, values) || !isAllowedChoice(choice, values)
    ? workspace
    : { ...workspace, chatProvider: choice.provider, chatModel: choice.model };
}
