import { CircleAlert, Eye, EyeOff } from "lucide-react";
import { useId, useState, type ComponentProps, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./icon-button.tsx";

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
  ...input
}: {
  label: string;
  extra?: ReactNode;
  help?: ReactNode;
  problem?: string | null | undefined;
} & ComponentProps<"input">) {
  const { t } = useTranslation();
  const own = useId();
  const [visible, setVisible] = useState(false);
  const id = input.id ?? own;
  const noteId = `${id}-note`;
  const box = type === "password" ? { type: visible ? "text" : "password" } : { type };
  const field = (
    <input
      {...input}
      {...box}
      id={id}
      aria-invalid={problem ? true : undefined}
      aria-describedby={problem || help ? noteId : undefined}
      className={type === "password" ? undefined : problem ? "input bad" : "input"}
    />
  );
  return (
    <div className="field">
      <div className="lbl">
        <label htmlFor={id}>{label}</label>
        {extra}
      </div>
      {type === "password" ? (
        <div className={problem ? "input box bad" : "input box"}>
          {field}
          <IconButton
            label={visible ? t("hidePassword") : t("showPassword")}
            onClick={() => setVisible(!visible)}
          >
            {visible ? <EyeOff className="i" /> : <Eye className="i" />}
          </IconButton>
        </div>
      ) : (
        field
      )}
      {problem ? (
        <p className="err" id={noteId} role="alert">
          <CircleAlert className="i sm" aria-hidden="true" />
          <span>{problem}</span>
        </p>
      ) : (
        help && (
          <p className="help" id={noteId}>
            {help}
          </p>
        )
      )}
    </div>
  );
}
