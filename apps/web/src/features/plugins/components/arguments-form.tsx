import type { PluginArgument, PluginDetail } from "@carrel/contracts";
import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Field, FieldHelp, FieldLabel, Input, Select } from "../../../components/ui/field.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { toast } from "../../../lib/toast.ts";
import { useSetPluginArguments } from "../api/plugins.ts";

/** What a plugin gets with each call, such as the key of an API. */
export function ArgumentsForm({ plugin }: { plugin: PluginDetail }) {
  const { t } = useTranslation("plugins");
  const saved = Object.fromEntries(plugin.arguments.map(({ name, value }) => [name, value]));
  const [values, setValues] = useState(saved);
  const save = useSetPluginArguments();
  const changed = Object.entries(values).filter(([name, value]) => value !== saved[name]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (save.isPending || changed.length === 0) return;
    save.mutate(
      { hubId: plugin.hubId, values: Object.fromEntries(changed) },
      {
        onSuccess: ({ arguments: after }) => {
          setValues(Object.fromEntries(after.map(({ name, value }) => [name, value])));
          toast.success(t("arguments.saved"));
        },
      },
    );
  };
  return (
    <FormSection title={t("arguments.title")}>
      <form className="grid grid-cols-1 gap-4" autoComplete="off" onSubmit={submit}>
        {plugin.arguments.map((argument) => (
          <ArgumentField
            key={argument.name}
            argument={argument}
            isGranted={plugin.granted === null || plugin.granted.secrets.includes(argument.name)}
            value={values[argument.name] ?? ""}
            onChange={(value) => setValues({ ...values, [argument.name]: value })}
          />
        ))}
        <Button
          type="submit"
          variant="primary"
          className="justify-self-start"
          disabled={save.isPending || changed.length === 0}
        >
          {t(save.isPending ? "arguments.saving" : "arguments.save")}
        </Button>
      </form>
    </FormSection>
  );
}

function ArgumentField({
  argument: { name, type, required, isSecret, placeholder, hint, default: fallback, value: saved },
  isGranted,
  value,
  onChange,
}: {
  argument: PluginArgument;
  isGranted: boolean;
  value: string;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation("plugins");
  const id = useId();
  const helps = [
    hint,
    fallback !== "" && !isSecret && t("arguments.isDefault", { value: fallback }),
    isSecret && saved !== "" && t("arguments.secretHelp"),
    !isGranted && t("arguments.denied"),
  ].filter(Boolean);
  const control = { id, value, "aria-describedby": `${id}-help`, required: false };
  return (
    <Field>
      <FieldLabel htmlFor={id}>
        <span className="font-mono text-sm wrap-anywhere">{name}</span>
        {required && <span className="font-normal text-fg-3">{t("arguments.required")}</span>}
      </FieldLabel>
      {type === "boolean" || type === "checkbox" ? (
        <Select {...control} onChange={(event) => onChange(event.target.value)}>
          <option value="" />
          <option value="true">{t("arguments.on")}</option>
          <option value="false">{t("arguments.off")}</option>
        </Select>
      ) : (
        <Input
          {...control}
          type={isSecret ? "password" : "text"}
          inputMode={type === "number" ? "decimal" : undefined}
          autoComplete={isSecret ? "new-password" : "off"}
          placeholder={placeholder}
          spellCheck={false}
          onFocus={(event) => {
            // The mask is replaced as a whole.
            if (isSecret && value === saved && saved !== "") event.target.select();
          }}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <FieldHelp id={`${id}-help`}>{helps.join(" ")}</FieldHelp>
    </Field>
  );
}
