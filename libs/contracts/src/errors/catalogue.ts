import { accountErrors } from "./account.ts";
import { agentFileErrors } from "./agent-file.ts";
import {
  budgetErrors,
  chatErrors,
  dictationErrors,
  generationErrors,
  shareErrors,
} from "./chat.ts";
import { codeErrors } from "./code.ts";
import { credentialErrors } from "./credential.ts";
import { documentErrors, fileNotes } from "./document.ts";
import type { ErrorParam, Placeholders } from "./error-definition.ts";
import { fileErrors } from "./file.ts";
import { flowErrors } from "./flow.ts";
import { hubErrors } from "./hub.ts";
import { localModelErrors } from "./local-model.ts";
import { mcpErrors } from "./mcp.ts";
import { egressErrors, linkErrors, webhookErrors } from "./network.ts";
import { pluginErrors } from "./plugin.ts";
import { embedderErrors, providerErrors, whisperErrors } from "./provider.ts";
import { openAiErrors, requestErrors } from "./request.ts";
import { scheduleErrors } from "./schedule.ts";
import { searchErrors } from "./search.ts";
import { settingErrors } from "./setting.ts";
import { openIdErrors, passwordErrors, signInErrors } from "./sign-in.ts";
import { sourceErrors, watchErrors } from "./source.ts";
import { sqlErrors } from "./sql.ts";
import { toolErrors } from "./tool.ts";
import { accessErrors, inviteErrors, ownerErrors, userErrors } from "./user.ts";
import { vectorStoreErrors } from "./vector-store.ts";
import { pictureErrors, surveyErrors, widgetErrors, workspaceErrors } from "./workspace.ts";

/** Every fault that crosses a process boundary, by code (`<noun>.<fault>`). */
export const errorCatalogue = {
  ...accessErrors,
  ...agentFileErrors,
  ...accountErrors,
  ...budgetErrors,
  ...chatErrors,
  ...codeErrors,
  ...credentialErrors,
  ...dictationErrors,
  ...documentErrors,
  ...egressErrors,
  ...embedderErrors,
  ...fileErrors,
  ...fileNotes,
  ...flowErrors,
  ...generationErrors,
  ...hubErrors,
  ...inviteErrors,
  ...linkErrors,
  ...localModelErrors,
  ...mcpErrors,
  ...openAiErrors,
  ...openIdErrors,
  ...ownerErrors,
  ...passwordErrors,
  ...pictureErrors,
  ...pluginErrors,
  ...providerErrors,
  ...requestErrors,
  ...scheduleErrors,
  ...searchErrors,
  ...settingErrors,
  ...shareErrors,
  ...signInErrors,
  ...sourceErrors,
  ...sqlErrors,
  ...surveyErrors,
  ...toolErrors,
  ...userErrors,
  ...vectorStoreErrors,
  ...watchErrors,
  ...webhookErrors,
  ...whisperErrors,
  ...widgetErrors,
  ...workspaceErrors,
} as const;

type Catalogue = typeof errorCatalogue;
export type ErrorCode = keyof Catalogue;

type AppParams<Definition> = Definition extends {
  appParams: readonly (infer Name extends string)[];
}
  ? Name
  : never;
type ParamNames<Code extends ErrorCode> =
  | Placeholders<Catalogue[Code]["message"]>
  | AppParams<Catalogue[Code]>;
export type CodeWithoutParams = {
  [Code in ErrorCode]: [ParamNames<Code>] extends [never] ? Code : never;
}[ErrorCode];
/** The type of each code's parameters, for codes that have any. */
export type CodeParams = {
  [Code in Exclude<ErrorCode, CodeWithoutParams>]: Readonly<Record<ParamNames<Code>, ErrorParam>>;
};

export const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];
const known: ReadonlySet<string> = new Set(errorCodes);
export const isErrorCode = (code: unknown): code is ErrorCode => known.has(String(code));
