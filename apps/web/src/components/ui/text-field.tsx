import { Eye, EyeOff } from "lucide-react";
import { useId, useState, type ComponentProps, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/cn.ts";
import { Field, FieldError, FieldHelp, labelStyles } from "./field.tsx";
import { IconButton } from "./icon-button.tsx";
import { inputStyles } from "./input.tsx";

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
  label: string;
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
