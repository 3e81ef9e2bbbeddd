import type { PluginDetail } from "@carrel/contracts";
import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFaultText } from "../../../components/fault-text.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Field, FieldHelp, FieldLabel, Input, Select } from "../../../components/ui/field.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { useTryPlugin, type PluginTrial } from "../api/plugins.ts";
import { readInput } from "../state/trial-input.ts";

type Param = PluginDetail["params"][string];

/** One call, with its result, log and time. */
export function TrialForm({ plugin }: { plugin: PluginDetail }) {
  const { t } = useTranslation("plugins");
  const [fields, setFields] = useState<Record<string, string>>({});
  const trial = useTryPlugin();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!trial.isPending)
      trial.mutate({ hubId: plugin.hubId, input: readInput(plugin.params, fields) });
  };
  return (
    <FormSection title={t("try.title")} help={t("try.help")}>
      <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
        {Object.entries(plugin.params).map(([name, param]) => (
          <ParamField
            key={name}
            name={name}
            param={param}
            value={fields[name] ?? ""}
            onChange={(value) => setFields({ ...fields, [name]: value })}
          />
        ))}
        <Button type="submit" className="justify-self-start" disabled={trial.isPending}>
          {t(trial.isPending ? "try.running" : "try.run")}
        </Button>
      </form>
      {trial.error !== null && (
        <Notice kind="bad">
          <p>{trial.error.message}</p>
        </Notice>
      )}
      {trial.data !== undefined && <Result trial={trial.data} />}
    </FormSection>
  );
}

function ParamField({
  name,
  param: { type, description, enum: choices },
  value,
  onChange,
}: {
  name: string;
  param: Param;
  value: string;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation("plugins");
  const id = useId();
  const options =
    type === "boolean"
      ? [
          { value: "true", label: t("arguments.on") },
          { value: "false", label: t("arguments.off") },
        ]
      : choices?.map((choice) => ({ value: String(choice), label: String(choice) }));
  const control = { id, value, "aria-describedby": `${id}-help` };
  return (
    <Field>
      <FieldLabel htmlFor={id}>
        <span className="font-mono text-sm wrap-anywhere">{name}</span>
        {(type === "array" || type === "object") && (
          <span className="font-normal text-fg-3">{t("try.json")}</span>
        )}
      </FieldLabel>
      {options === undefined ? (
        <Input
          {...control}
          inputMode={type === "number" || type === "integer" ? "decimal" : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <Select {...control} onChange={(event) => onChange(event.target.value)}>
          <option value="" />
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
      <FieldHelp id={`${id}-help`}>{description}</FieldHelp>
    </Field>
  );
}

const textBox =
  "max-h-72 overflow-auto rounded-sm bg-sunken p-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere";

function Result({ trial: { text, fault, log, milliseconds } }: { trial: PluginTrial }) {
  const { t } = useTranslation("plugins");
  const problem = useFaultText(fault, "");
  const took = formatNumber(milliseconds);
  return (
    <div className="grid grid-cols-1 gap-3" role="status">
      {text === null ? (
        <Notice kind="bad">
          <p>{problem}</p>
          <p className="text-xs">{t("try.failedAfter", { milliseconds: took })}</p>
        </Notice>
      ) : (
        <figure className="grid grid-cols-1 gap-1">
          <figcaption className="text-xs font-medium">
            {t("try.result", { milliseconds: took })}
          </figcaption>
          <pre className={textBox} dir="auto" tabIndex={0}>
            {text || t("try.emptyResult")}
          </pre>
        </figure>
      )}
      {log.length > 0 && (
        <figure className="grid grid-cols-1 gap-1">
          <figcaption className="text-xs font-medium">{t("try.log")}</figcaption>
          <ol className={textBox} tabIndex={0}>
            {log.map((line, n) => (
              <li key={n} className="flex gap-2">
                <span className="w-14 flex-none text-end text-fg-3 tabular-nums">
                  {formatNumber(line.milliseconds)}
                </span>
                <span className="w-14 flex-none text-fg-3">{t(`try.kind.${line.kind}`)}</span>
                <span className="min-w-0" dir="auto">
                  {line.text}
                </span>
              </li>
            ))}
          </ol>
        </figure>
      )}
    </div>
  );
}
