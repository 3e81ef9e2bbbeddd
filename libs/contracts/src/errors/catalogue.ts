import { accessErrors } from "./access.ts";
import { budgetErrors } from "./budget.ts";
import { chatErrors } from "./chat.ts";
import { dictationErrors } from "./dictation.ts";
import { documentErrors } from "./document.ts";
import { egressErrors } from "./egress.ts";
import { embedderErrors } from "./embedder.ts";
import type { ErrorParam, Placeholders } from "./error-definition.ts";
import { featureErrors } from "./feature.ts";
import { fileNotes } from "./file-note.ts";
import { fileErrors } from "./file.ts";
import { generationErrors } from "./generation.ts";
import { inviteErrors } from "./invite.ts";
import { linkErrors } from "./link.ts";
import { openAiErrors } from "./openai.ts";
import { openIdErrors } from "./openid.ts";
import { passwordErrors } from "./password.ts";
import { pictureErrors } from "./picture.ts";
import { providerErrors } from "./provider.ts";
import { requestErrors } from "./request.ts";
import { settingErrors } from "./setting.ts";
import { shareErrors } from "./share.ts";
import { signInErrors } from "./sign-in.ts";
import { surveyErrors } from "./survey.ts";
import { userErrors } from "./user.ts";
import { vectorStoreErrors } from "./vector-store.ts";
import { webhookErrors } from "./webhook.ts";
import { whisperErrors } from "./whisper.ts";
import { widgetErrors } from "./widget.ts";
import { workspaceErrors } from "./workspace.ts";

/** Every fault that crosses a process boundary, by code (`<noun>.<fault>`). */
export const errorCatalogue = {
  ...accessErrors,
  ...budgetErrors,
  ...chatErrors,
  ...dictationErrors,
  ...documentErrors,
  ...egressErrors,
  ...embedderErrors,
  ...featureErrors,
  ...fileErrors,
  ...fileNotes,
  ...generationErrors,
  ...inviteErrors,
  ...linkErrors,
  ...openAiErrors,
  ...openIdErrors,
  ...passwordErrors,
  ...pictureErrors,
  ...providerErrors,
  ...requestErrors,
  ...settingErrors,
  ...shareErrors,
  ...signInErrors,
  ...surveyErrors,
  ...userErrors,
  ...vectorStoreErrors,
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
