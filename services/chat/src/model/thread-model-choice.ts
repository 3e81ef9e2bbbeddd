import { threadModelsLabel, type Principal, type WorkspaceWire } from "@carrel/contracts";

/** What a thread's owner chose; a null model is the provider's own. */
export interface ThreadModelChoice {
  provider: string;
  model: string | null;
}

/** Reads the choice from a thread's columns. */
export const readThreadModelChoice = (
  row: { chat_provider: string | null; chat_model: string | null } | null,
): ThreadModelChoice | null =>
  row === null || row.chat_provider === null
    ? null
    : { provider: row.chat_provider, model: row.chat_model };

/** Whether the admin lets this caller choose the model of a thread. */
export function mayChooseModel(
  { role }: Principal,
  values: Readonly<Record<string, string>>,
): boolean {
  return role !== "default" || values[threadModelsLabel] === "true";
}

/** The workspace with its thread's model, unless the asker may not choose one (any more). */
export function withThreadModel(
  workspace: WorkspaceWire,
  choice: ThreadModelChoice | null,
  asker: Principal,
  values: Readonly<Record<string, string>>,
): WorkspaceWire {
  return choice === null || !mayChooseModel(asker, values)
    ? workspace
    : { ...workspace, chatProvider: choice.provider, chatModel: choice.model };
}
