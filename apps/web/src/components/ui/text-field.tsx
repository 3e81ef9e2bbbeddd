import { cva, type VariantProps } from "class-variance-authority";
import { Eye, EyeOff, Search } from "lucide-react";
import { useId, useState, type ComponentProps, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/cn.ts";
import type { CredentialFault } from "../../lib/credential-rules.ts";
import { IconButton } from "./button.tsx";
import {
  Field,
  FieldError,
  FieldHelp,
  FieldLabel,
  Select,
  inputStyles,
  labelStyles,
} from "./field.tsx";

const searchStyles = cva(
  "flex min-w-0 items-center gap-1.5 bg-surface text-fg-3 focus-within:border-transparent focus-within:outline-2 focus-within:outline-focus",
  {
    variants: {
      variant: {
        outlined: "rounded-sm border border-control px-2 focus-within:outline-offset-1",
        /** Above a list in the same box. */
        plain: "h-[38px] border-b border-subtle px-3 focus-within:-outline-offset-2",
      },
    },
    defaultVariants: { variant: "outlined" },
  },
);

/** A search box; the label is its accessible name and, by default, its placeholder. */
export function SearchField({
  label,
  placeholder = label,
  variant,
  className,
  ...input
}: { label: string } & Omit<ComponentProps<"input">, "type"> & VariantProps<typeof searchStyles>) {
  return (
    <label className={searchStyles({ variant, className })}>
      <Search className="size-3.5 stroke-2" aria-hidden="true" />
      <input
        {...input}
        type="search"
        className="w-full min-w-0 bg-transparent text-sm text-fg-1 outline-none"
        placeholder={placeholder}
        aria-label={label}
      />
    </label>
  );
}

/**
 * A labelled field with its hint or error below; passwords can be revealed. `extra` goes at the end
 * of the label row.
 */
export function TextField({
  label,
  extra,
  help,
  problem,
  type = "text",
  height,
  className,
  ...input
}: {
  label: ReactNode;
  extra?: ReactNode;
  help?: ReactNode;
  problem?: string | null | undefined;
  height?: "md" | "lg";
} & Omit<ComponentProps<"input">, "height">) {
  const { t } = useTranslation();
  const own = useId();
  const [visible, setVisible] = useState(false);
  const id = input.id ?? own;
  const invalid = Boolean(problem);
  const noteId = `${id}-note`;
  const box = type === "password" ? { type: visible ? "text" : "password" } : { type };
  const field = (
    <input
      {...input}
      {...box}
      id={id}
      aria-invalid={problem ? true : undefined}
      aria-describedby={problem || help ? noteId : undefined}
      className={type === "password" ? undefined : cn(inputStyles({ invalid, height }), className)}
    />
  );
  return (
    <Field>
      <div className={labelStyles}>
        <label htmlFor={id}>{label}</label>
        {extra}
      </div>
      {type === "password" ? (
        <div className={cn(inputStyles({ invalid, height, box: true }), className)}>
          {field}
          <IconButton
            label={visible ? t("hidePassword") : t("showPassword")}
            onClick={() => setVisible(!visible)}
          >
            {visible ? <EyeOff /> : <Eye />}
          </IconButton>
        </div>
      ) : (
        field
      )}
      {problem ? (
        <FieldError id={noteId} role="alert">
          {problem}
        </FieldError>
      ) : (
        help && <FieldHelp id={noteId}>{help}</FieldHelp>
      )}
    </Field>
  );
}

/** A drop-down list with a label; the options are children. */
export function SelectField({
  label,
  help,
  value,
  onChange,
  children,
}: {
  label: string;
  help?: string | undefined;
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Field>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <Select
        id={id}
        value={value}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onChange={(event) => onChange(event.target.value)}
      >
        {children}
      </Select>
      {help !== undefined && <FieldHelp id={`${id}-help`}>{help}</FieldHelp>}
    </Field>
  );
}

/** Faults that may disappear as somebody keeps typing; shown once the field is left. */
const unfinished: ReadonlySet<CredentialFault> = new Set([
  "nameShort",
  "nameShortFirstAdmin",
  "passwordShort",
  "passwordBlank",
]);

/** A new name or password, validated while it is typed. */
export function CredentialField({
  fault,
  isChecked = false,
  problem,
  ...field
}: {
  /** What is wrong with the current value. */
  fault: CredentialFault | null;
  /** Submitting was attempted, so an empty field is an error, too. */
  isChecked?: boolean;
} & ComponentProps<typeof TextField>) {
  const { t } = useTranslation();
  const [wasLeft, setLeft] = useState(false);
  const isShown = isChecked || (field.value !== "" && (wasLeft || !unfinished.has(fault!)));
  return (
    <TextField
      {...field}
      problem={fault !== null && isShown ? t(`credential.${fault}`) : problem}
      onBlur={() => setLeft(true)}
    />
  );
}
