import type { ProviderDeclaration } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { FieldHelp } from "../../../components/ui/field.tsx";
import { SelectField } from "../../../components/ui/select-field.tsx";
import { shortModelName } from "../../../lib/format.ts";
import { sourceLanguage } from "../../../lib/languages.ts";

export type DocumentsLanguage = "english" | "other";
export const embeddingModelKey = "EmbeddingModelPref";

/** The saved choice, otherwise the browser's language: most documents are in it. */
export function initialLanguage(saved: unknown): DocumentsLanguage {
  if (typeof saved === "string") return isMultilingual(saved) ? "other" : "english";
  return navigator.language.split("-")[0] === sourceLanguage ? "english" : "other";
}

/**
 * The built-in embedding model for each choice; null if the instance doesn't offer both, or another
 * one was chosen elsewhere.
 */
export function modelsOf(
  native: ProviderDeclaration | undefined,
  saved: unknown,
): Record<DocumentsLanguage, string> | null {
  const options = native?.fields.find(({ key }) => key === embeddingModelKey)?.options ?? [];
  const [english, other] = [options[0], options.find(isMultilingual)];
  if (english === undefined || other === undefined) return null;
  return typeof saved === "string" && saved !== english && saved !== other
    ? null
    : { english, other };
}

const isMultilingual = (model: string): boolean => model.includes("multilingual");

/** Chooses the built-in embedding model by the language of the documents. */
export function DocumentsLanguageField({
  models,
  value,
  onChange,
}: {
  models: Record<DocumentsLanguage, string>;
  value: DocumentsLanguage;
  onChange: (value: DocumentsLanguage) => void;
}) {
  const { t } = useTranslation("onboarding");
  return (
    <div className="grid gap-1.5">
      <SelectField
        label={t("model.documents")}
        value={value}
        onChange={(chosen) => onChange(chosen as DocumentsLanguage)}
      >
        {(["english", "other"] as const).map((language) => (
          <option key={language} value={language}>
            {t(`model.documentsIn.${language}`)}
          </option>
        ))}
      </SelectField>
      <FieldHelp>
        {t(`model.documentsHelp.${value}`, { model: shortModelName(models[value]) })}
      </FieldHelp>
    </div>
  );
}
