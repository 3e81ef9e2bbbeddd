import type { ConnectorField } from "@carrel/contracts";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Combobox } from "../../../components/ui/combobox.tsx";
import {
  Field,
  FieldError,
  FieldHelp,
  FieldLabel,
  Input,
  Select,
  Textarea,
} from "../../../components/ui/field.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import type { FieldFault, FieldValue } from "../state/draft.ts";
import { SwitchRow } from "./switch-row.tsx";

interface FieldProps {
  field: ConnectorField;
  value: FieldValue;
  fault: FieldFault | null;
  onChange: (value: FieldValue) => void;
}

/** One field, rendered as the connector declares it. */
export function ConnectorFieldRow({
  onListChoices,
  ...props
}: FieldProps & {
  /** Asks the source what may be chosen. */
  onListChoices: () => Promise<string[]>;
}) {
  const { t } = useTranslation("connections");
  const id = useId();
  const { field, value, fault, onChange } = props;
  const text = String(value);
  const problem =
    fault === null ? null : t(`form.fault.${fault}`, { min: field.min ?? 0, max: field.max ?? 0 });
  // With a default, or a choice, there is nothing that could be left out.
  const isOptional = !field.required && field.default === undefined && field.kind !== "choice";
  const label = (
    <span>
      {field.label}
      {isOptional && <span className="font-regular text-fg-3"> {t("form.optional")}</span>}
    </span>
  );
  if (field.kind === "switch")
    return (
      <SwitchRow
        label={field.label}
        help={field.help}
        checked={value === true}
        onChange={onChange}
      />
    );
  if (field.kind === "secret")
    return (
      <TextField
        type="password"
        label={label}
        help={field.help}
        problem={problem}
        value={text}
        placeholder={field.placeholder}
        autoComplete="new-password"
        spellCheck={false}
        dir="ltr"
        aria-required={field.required}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  const describedBy = [problem && `${id}-fault`, field.help && `${id}-help`]
    .filter(Boolean)
    .join(" ");
  const shared = {
    id,
    value: text,
    invalid: problem !== null,
    placeholder: field.placeholder,
    "aria-required": field.required,
    "aria-invalid": problem === null ? undefined : (true as const),
    "aria-describedby": describedBy === "" ? undefined : describedBy,
  };
  return (
    <Field>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      {field.kind === "choice" ? (
        <Select {...shared} onChange={(event) => onChange(event.target.value)}>
          {field.options?.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      ) : field.kind === "lines" ? (
        <Textarea
          {...shared}
          rows={4}
          spellCheck={false}
          dir="ltr"
          onChange={(event) => onChange(event.target.value)}
        />
      ) : field.isListed ? (
        <ListedField {...shared} label={field.label} onList={onListChoices} onChange={onChange} />
      ) : (
        <Input
          {...shared}
          // Not of type "url" or "number", whose rules would differ from the connector's.
          inputMode={
            field.kind === "number" ? "numeric" : field.kind === "address" ? "url" : undefined
          }
          dir={field.kind === "text" ? "auto" : "ltr"}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {problem !== null && (
        <FieldError id={`${id}-fault`} role="alert">
          {problem}
        </FieldError>
      )}
      {field.help && <FieldHelp id={`${id}-help`}>{field.help}</FieldHelp>}
    </Field>
  );
}

/** A text that the source has a list for, such as its branches. The list is asked for when opened. */
function ListedField({
  label,
  onList,
  onChange,
  ...input
}: {
  id: string;
  label: string;
  value: string;
  invalid: boolean;
  placeholder: string | undefined;
  onList: () => Promise<string[]>;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation("connections");
  const [choices, setChoices] = useState<string[] | null>(null);
  const [isLoading, setLoading] = useState(false);
  const load = (): void => {
    setLoading(true);
    void onList()
      .catch(() => [])
      .then(setChoices)
      .finally(() => setLoading(false));
  };
  return (
    <Combobox
      {...input}
      options={(choices ?? []).map((value) => ({ value, text: null, hint: null }))}
      listLabel={t("form.choices", { name: label })}
      status={(found) =>
        isLoading
          ? t("form.choicesLoading")
          : choices?.length === 0
            ? t("form.choicesNone")
            : choices !== null && found === 0
              ? t("form.choicesOther")
              : null
      }
      autoComplete="off"
      spellCheck={false}
      dir="ltr"
      onOpen={load}
      onPick={({ value }) => onChange(value)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
