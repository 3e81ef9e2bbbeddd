import { quotingProvider, type ThreadModel } from "@carrel/contracts";
import i18next from "i18next";

/** The built-in answerer has no model, so its provider's name is shown instead. */
export const modelName = ({ provider, providerName, model }: ThreadModel): string =>
  provider === quotingProvider ? providerName : (model ?? providerName);

/** For use as the subject of a sentence. */
export const answererName = (model: ThreadModel): string =>
  model.provider === quotingProvider ? i18next.t("chat:builtInAnswerer") : modelName(model);
