import { useTranslation } from "react-i18next";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import {
  longest,
  textFault,
  textNames,
  type BrandingValues,
  type TextName,
} from "../state/branding-form.ts";

/** Name, page title, support address and icon of the instance. */
export function BrandingTexts({
  values,
  onChange,
}: {
  values: BrandingValues;
  onChange: (part: Partial<Record<TextName, string>>) => void;
}) {
  const { t } = useTranslation("appearance");
  return (
    <FormSection title={t("identity")} help={t("identityHelp")}>
      {textNames.map((name) => {
        const fault = textFault(name, values[name]);
        const isAddress = name === "email" || name === "favicon";
        return (
          <TextField
            key={name}
            label={t(`label.${name}`)}
            help={t(`help.${name}`)}
            placeholder={name === "name" ? "Carrel" : undefined}
            inputMode={name === "email" ? "email" : name === "favicon" ? "url" : undefined}
            dir={isAddress ? "ltr" : "auto"}
            autoComplete="off"
            spellCheck={isAddress ? false : undefined}
            maxLength={longest[name]}
            problem={fault && t(`fault.${fault}`)}
            value={values[name]}
            onChange={(event) => onChange({ [name]: event.target.value })}
          />
        );
      })}
    </FormSection>
  );
}
