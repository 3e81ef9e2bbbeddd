import type { ProviderField } from "@carrel/contracts";
import { CircleAlert } from "lucide-react";
import { useId, useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { ModelOption } from "../api/providers.ts";
import type { Fault } from "../state/provider-form.ts";

const units: Partial<Record<string, "tokens" | "characters">> = {
  contextWindow: "tokens",
  longestAnswer: "tokens",
  longestPassage: "characters",
};
const mask = "•".repeat(20);

/**
 * One field, rendered from its declaration. A saved secret shows as dots; it can be replaced but
 * never read back.
 */
export function ProviderFieldRow({
  field,
  registration,
  value,
  fault,
  saved,
  locked,
  models,
  keyUrl,
  onReplace,
}: {
  field: ProviderField;
  registration: UseFormRegisterReturn;
  value: string;
  fault: Fault | null;
  saved: boolean;
  locked: boolean;
  models: ModelOption[];
  keyUrl: string | null;
  onReplace: (text: string) => void;
}) {
  const { t } = useTranslation("settings");
  const id = useId();
  const [replacing, setReplacing] = useState(false);
  const label = t(`field.${field.label}`, { defaultValue: field.key });
  const unit = units[field.label];
  const describes =
    [fault ? `${id}-fault` : null, locked ? `${id}-locked` : null].filter(Boolean).join(" ") ||
    undefined;
  const shared = {
    id,
    ...registration,
    disabled: locked,
    "aria-invalid": fault ? (true as const) : undefined,
    "aria-describedby": describes,
    "aria-required": field.required,
  };
  const masked = field.kind === "secret" && saved && !replacing && value === "";
  const box = fault ? "input box bad" : "input box";
  return (
    <div className="field">
      <label htmlFor={id}>
        <span>
          {label}
          {!field.required && <span className="t3 font-normal"> {t("optional")}</span>}
        </span>
        {field.kind === "secret" && keyUrl && (
          <a className="link" href={keyUrl} target="_blank" rel="noreferrer noopener">
            {t("getKey")}
          </a>
        )}
      </label>
      {masked ? (
        <div className="input box">
          <input id={id} className="mono" value={mask} readOnly aria-describedby={describes} />
          <button
            type="button"
            className="btn sm"
            disabled={locked}
            onClick={() => setReplacing(true)}
          >
            {t("replace")}
          </button>
        </div>
      ) : field.kind === "select" ? (
        <select className="input" {...shared}>
          {field.options?.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <div className={box}>
          <input
            {...shared}
            type={field.kind === "secret" ? "password" : "text"}
            className={
              field.kind === "secret" ? "mono" : field.kind === "number" ? "num" : undefined
            }
            inputMode={
              field.kind === "number" ? "numeric" : field.kind === "url" ? "url" : undefined
            }
            placeholder={field.placeholder}
            autoComplete={field.kind === "secret" ? "new-password" : "off"}
            spellCheck={false}
            dir="ltr"
            autoFocus={replacing}
            list={field.kind === "model" && models.length > 0 ? `${id}-models` : undefined}
          />
          {unit && <span className="unit">{t(`unit.${unit}`)}</span>}
          {replacing && (
            <button
              type="button"
              className="btn quiet sm"
              onClick={() => {
                setReplacing(false);
                onReplace("");
              }}
            >
              {t("keep")}
            </button>
          )}
        </div>
      )}
      {field.kind === "model" && models.length > 0 && (
        <datalist id={`${id}-models`}>
          {models.map((model) => (
            <option key={model.id} value={model.id}>
              {model.name ?? ""}
            </option>
          ))}
        </datalist>
      )}
      {fault && (
        <p className="err" id={`${id}-fault`}>
          <CircleAlert className="i sm" aria-hidden="true" />
          {t(`fault.${fault}`, { min: field.min ?? 1 })}
        </p>
      )}
      {locked && (
        <p className="help" id={`${id}-locked`}>
          {t("locked")}
        </p>
      )}
    </div>
  );
}
