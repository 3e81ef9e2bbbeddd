import type { Language } from "@carrel/contracts/languages";
import { useTranslation } from "react-i18next";
import { changeLanguage } from "../lib/i18n.ts";
import { namedLanguages } from "../lib/languages.ts";
import { Select } from "./ui/field.tsx";

/** The interface's language, applied as soon as it is selected. */
export function LanguagePicker({ id, className }: { id?: string; className?: string }) {
  const { t, i18n } = useTranslation("common");
  return (
    <Select
      id={id}
      aria-label={id === undefined ? t("language") : undefined}
      className={className}
      value={i18n.language}
      onChange={(event) => void changeLanguage(event.target.value as Language)}
    >
      {namedLanguages.map(({ code, name }) => (
        // Screen readers say each in its own voice.
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}
