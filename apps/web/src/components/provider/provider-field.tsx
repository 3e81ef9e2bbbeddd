import type { ProviderField } from "@carrel/contracts";
import { settingCaptions, type SettingCaption } from "@carrel/contracts/setting-captions";
import { useEffect, useId, useRef, useState, type ComponentProps } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../lib/format.ts";
import type { Fault } from "../../lib/provider-form.ts";
import type { ModelOption } from "../../lib/providers.ts";
import { Button } from "../ui/button.tsx";
import { Combobox } from "../ui/combobox.tsx";
import { Field, FieldError, FieldHelp, FieldLabel, Select, inputStyles } from "../ui/field.tsx";
import { linkStyles } from "../ui/styles.ts";
import type { Detection } from "./use-auto-detect.ts";

const mask = "*".repeat(20);

/** A value that wasn't set with this form may not be one of its options. */
const optionsOf = ({ options = [] }: ProviderField, value: string): string[] =>
  value === "" || options.includes(value) ? options : [...options, value];

/**
 * One field, rendered from its declaration. A saved secret shows as asterisks; it can be replaced
 * but never read back.
 */
export function ProviderFieldRow({
  field,
  registration,
  value,
  model = "",
  fault,
  saved,
  locked,
  listing,
  keyUrl,
  detection = null,
  onReplace,
}: {
  field: ProviderField;
  registration: UseFormRegisterReturn;
  value: string;
  /** The form's model, for fields that leave something to its server. */
  model?: string;
  fault: Fault | null;
  saved: boolean;
  locked: boolean;
  /** Set for providers whose models can be listed. */
  listing: ModelListing | null;
  keyUrl: string | null;
  detection?: Detection | null;
  onReplace: (text: string) => void;
}) {
  const { t } = useTranslation("settings");
  const id = useId();
  const [replacing, setReplacing] = useState(false);
  const { unit }: SettingCaption = settingCaptions[field.label];
  const describes =
    [
      fault ? `${id}-fault` : null,
      locked ? `${id}-locked` : null,
      field.empty ? `${id}-empty` : null,
    ]
      .filter(Boolean)
      .join(" ") || undefined;
  const shared = {
    id,
    ...registration,
    disabled: locked,
    "aria-invalid": fault ? (true as const) : undefined,
    "aria-describedby": describes,
    "aria-required": field.required,
  };
  // The page issues API keys, not what other ways to sign in require.
  const issued = field.kind === "secret" && (field.when === undefined || field.label === "key");
  const masked = field.kind === "secret" && saved && !replacing && value === "";
  return (
    <Field>
      <FieldLabel htmlFor={id}>
        <span>
          {t(`field.${field.label}`)}
          {!field.required && <span className="font-regular text-fg-3"> {t("optional")}</span>}
        </span>
        {issued && keyUrl && (
          <a className={linkStyles} href={keyUrl} target="_blank" rel="noreferrer noopener">
            {t("getKey")}
          </a>
        )}
      </FieldLabel>
      {masked ? (
        // The key gives the field that takes its place an input without the asterisks.
        <div key="masked" className={inputStyles({ box: true })}>
          <input
            id={id}
            className="font-mono text-[0.93em]"
            value={mask}
            readOnly
            aria-describedby={describes}
          />
          <Button size="sm" disabled={locked} onClick={() => setReplacing(true)}>
            {t("replace")}
          </Button>
        </div>
      ) : field.kind === "select" ? (
        <Select {...shared}>
          {optionsOf(field, value).map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </Select>
      ) : field.kind === "model" && listing ? (
        <ModelField
          {...shared}
          invalid={fault !== null}
          placeholder={field.placeholder}
          value={value}
          listing={listing}
        />
      ) : (
        <div className={inputStyles({ invalid: fault !== null, box: true })}>
          <input
            {...shared}
            type={field.kind === "secret" ? "password" : "text"}
            className={
              field.kind === "secret"
                ? "font-mono text-[0.93em]"
                : field.kind === "number"
                  ? "tabular-nums"
                  : undefined
            }
            inputMode={
              field.kind === "number" ? "numeric" : field.kind === "url" ? "url" : undefined
            }
            placeholder={field.placeholder}
            autoComplete={field.kind === "secret" ? "new-password" : "off"}
            spellCheck={false}
            dir="ltr"
            autoFocus={replacing}
          />
          {field.candidates && detection && value === "" && !locked && (
            <Button size="sm" disabled={detection.isPending} onClick={detection.run}>
              {detection.isPending ? t("detecting") : t("detect")}
            </Button>
          )}
          {unit && <span className="pe-[7px] text-xs text-fg-3">{t(`unit.${unit}`)}</span>}
          {field.kind === "secret" && saved && (
            <Button
              variant="quiet"
              size="sm"
              onClick={() => {
                setReplacing(false);
                onReplace("");
              }}
            >
              {t("keep")}
            </Button>
          )}
        </div>
      )}
      {fault && (
        <FieldError id={`${id}-fault`}>{t(`fault.${fault}`, { min: field.min ?? 1 })}</FieldError>
      )}
      {field.empty && (
        <EmptyMeaning id={`${id}-empty`} field={field} model={model} listing={listing} />
      )}
      {locked && <FieldHelp id={`${id}-locked`}>{t("locked")}</FieldHelp>}
    </Field>
  );
}

/** Says what applies while a field that leaves it to the model's server is empty. */
function EmptyMeaning({
  id,
  field: { empty },
  model,
  listing,
}: {
  id: string;
  field: ProviderField;
  model: string;
  listing: ModelListing | null;
}) {
  const { t } = useTranslation("settings");
  const otherwise = empty?.otherwise;
  const asks = otherwise !== undefined && model !== "" && listing?.awaits === null;
  const load = listing?.load;
  const hasAsked = useRef(false);
  useEffect(() => {
    // Ask once, for the saved value: while an address is typed, it would ask for every letter.
    if (!asks || hasAsked.current) return;
    hasAsked.current = true;
    load?.();
  }, [asks, load]);
  return (
    <FieldHelp id={id} role="status">
      {describe()}
    </FieldHelp>
  );

  function describe(): string {
    if (otherwise === undefined) return t("empty.longestAnswer");
    if (listing?.models == null) return t("empty.server");
    const found = listing.models.find((each) => each.id === model);
    const tokens = formatNumber(found?.contextWindow ?? otherwise);
    if (found?.windowSource === "server") return t("empty.found", { tokens });
    return t(found?.windowSource === "catalogue" ? "empty.catalogue" : "empty.unknown", { tokens });
  }
}

/** The models that a provider offers; null until requested. */
export interface ModelListing {
  models: ModelOption[] | null;
  /** What must be entered before they can be listed. */
  awaits: "address" | "key" | null;
  loading: boolean;
  error: Error | null;
  load: () => void;
  onPick: (model: ModelOption) => void;
}

/** A model's name, from the provider's list or as typed. */
function ModelField({
  listing: { models, awaits, loading, error, load, onPick },
  ...field
}: {
  listing: ModelListing;
  value: string;
} & Omit<
  ComponentProps<typeof Combobox>,
  "options" | "listLabel" | "status" | "onOpen" | "onPick" | "value"
>) {
  const { t } = useTranslation("settings");
  return (
    <>
      <Combobox
        {...field}
        placeholder={
          awaits !== null
            ? t(`models.awaits.${awaits}`)
            : loading
              ? t("models.loading")
              : field.placeholder
        }
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        listLabel={t("models.list")}
        options={(models ?? []).map(({ id, name, contextWindow }) => ({
          value: id,
          text: name,
          hint:
            contextWindow === null
              ? null
              : t("models.tokens", { text: formatNumber(contextWindow) }),
        }))}
        status={(found) =>
          loading
            ? t("models.loading")
            : models?.length === 0
              ? t("models.none")
              : models !== null && found === 0
                ? t("models.unlisted")
                : null
        }
        onOpen={load}
        onPick={({ value }) => {
          const model = models?.find(({ id }) => id === value);
          if (model) onPick(model);
        }}
      />
      {/* In the page's flow, because on top, like the list, it would cover a test's result below. */}
      {error && (
        <FieldHelp role="status">{t("models.failed", { message: error.message })}</FieldHelp>
      )}
    </>
  );
}
