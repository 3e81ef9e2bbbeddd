import type { CredentialWire } from "@carrel/contracts";
import { Braces, ChevronLeft } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import {
  Field,
  FieldError,
  FieldHelp,
  inputStyles,
  labelStyles,
} from "../../../components/ui/field.tsx";
import { cn } from "../../../lib/cn.ts";
import { openCredential, suggestCredentials } from "../state/credential-paths.ts";
import {
  baseOf,
  openReference,
  suggestPaths,
  type Offered,
  type Suggestion,
} from "../state/paths.ts";
import { VariableOption } from "./variable-option.tsx";

/** The arrow key that points to the end of a line, as the button into a value does. */
const keyInto = (): string => (document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight");

/** What is being typed at the caret. */
interface Reference {
  start: number;
  typed: string;
  isCredential?: boolean;
}

interface Props extends Offered {
  label: string;
  /** Only for screen readers, in rows whose columns have names. */
  hidesLabel?: boolean;
  help?: string | undefined;
  problem?: string | null;
  value: string;
  onChange: (value: string) => void;
  /** Rows of a text of several lines; one line without it. */
  lines?: number;
  mono?: boolean;
  placeholder?: string;
  /** Those to offer; default: the text can't hold any. */
  credentials?: readonly CredentialWire[] | null;
}

/** A text in which `${` offers variables and paths into their values, and `{{` credentials. */
export function VariableText({
  label,
  hidesLabel = false,
  help,
  problem = null,
  value,
  onChange,
  lines,
  mono = false,
  placeholder,
  known,
  values,
  credentials = null,
}: Props) {
  const { t } = useTranslation("flows");
  const id = useId();
  const control = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  /** Where the caret goes once the text has changed. */
  const caret = useRef<number | null>(null);
  /** Where the button has begun a reference. */
  const inserted = useRef<number | null>(null);
  const [reference, setReference] = useState<Reference | null>(null);
  const [at, setAt] = useState(0);
  const suggestions = !reference
    ? []
    : reference.isCredential
      ? suggestCredentials(reference.typed, credentials ?? [])
      : suggestPaths(reference.typed, { known, values });
  const none = reference?.isCredential
    ? t("field.noCredentials")
    : t(known.length === 0 ? "field.noVariables" : "field.noMatch");
  const active = suggestions[at];
  const listId = `${id}-list`;

  useLayoutEffect(() => {
    if (caret.current === null) return;
    control.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });

  const isOpen = reference !== null;
  const base = reference && !reference.isCredential ? baseOf(reference.typed) : null;
  useEffect(() => {
    if (isOpen) popup.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);

  const look = (): void => {
    const { current } = control;
    const end = current?.selectionStart ?? 0;
    const before = current?.selectionEnd === end ? current.value.slice(0, end) : "";
    const variable = openReference(before);
    const credential = credentials === null ? null : openCredential(before);
    const found = variable ?? (credential && { ...credential, isCredential: true });
    setReference(found);
    if (found?.typed !== reference?.typed) setAt(0);
  };
  const pick = ({ path }: Suggestion): void => {
    if (!reference) return;
    const end = reference.start + 2 + reference.typed.length;
    const rest = value.slice(end).replace(reference.isCredential ? /^\}{1,2}/ : /^\}/, "");
    const written = reference.isCredential ? `{{${path}}}` : `\${${path}}`;
    caret.current = reference.start + written.length;
    inserted.current = null;
    setReference(null);
    onChange(value.slice(0, reference.start) + written + rest);
  };
  /** Opens or closes the parts of a value. */
  const goTo = (typed: string): void => {
    if (!reference) return;
    const end = reference.start + 2 + reference.typed.length;
    caret.current = reference.start + 2 + typed.length;
    setReference({ ...reference, typed });
    setAt(0);
    onChange(`${value.slice(0, reference.start + 2)}${typed}${value.slice(end)}`);
  };
  const insert = (): void => {
    const { current } = control;
    if (!current) return;
    const start = current.selectionStart ?? value.length;
    const end = current.selectionEnd ?? start;
    caret.current = start + 2;
    current.focus();
    onChange(`${value.slice(0, start)}\${${value.slice(end)}`);
    inserted.current = start;
    setReference({ start, typed: "" });
    setAt(0);
  };
  const close = (): void => {
    setReference(null);
    // What the button has begun isn't left unfinished.
    if (reference && inserted.current === reference.start) {
      const end = reference.start + 2 + reference.typed.length;
      onChange(`${value.slice(0, reference.start)}${value.slice(end)}`);
    }
    inserted.current = null;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!reference || event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      setReference(null);
    } else if (suggestions.length === 0) return;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next =
        (at + (event.key === "ArrowDown" ? 1 : -1) + suggestions.length) % suggestions.length;
      setAt(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === keyInto() && active?.into) {
      event.preventDefault();
      goTo(active.into);
    } else if ((event.key === "Enter" || event.key === "Tab") && active) {
      event.preventDefault();
      pick(active);
    }
  };
  const noteId = `${id}-note`;
  const input = {
    id,
    ref: control,
    value,
    placeholder,
    spellCheck: !mono,
    autoComplete: "off",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": isOpen && suggestions.length > 0,
    "aria-controls": isOpen && suggestions.length > 0 ? listId : undefined,
    "aria-activedescendant": isOpen && active ? `${listId}-${at}` : undefined,
    "aria-label": hidesLabel ? label : undefined,
    "aria-invalid": problem !== null || undefined,
    "aria-describedby": problem !== null || help !== undefined ? noteId : undefined,
    onChange: (event: { target: { value: string } }) => {
      onChange(event.target.value);
      look();
    },
    onSelect: look,
    onBlur: close,
    onKeyDown,
  } as const;
  const looks = cn(
    inputStyles({ invalid: problem !== null, height: lines ? "lines" : "md" }),
    mono && "font-mono text-xs/5",
    "pe-8",
  );
  return (
    <Field className="relative min-w-0">
      {!hidesLabel && (
        <div className={labelStyles}>
          <label htmlFor={id}>{label}</label>
        </div>
      )}
      <div className="relative min-w-0">
        {lines ? (
          <textarea {...input} rows={lines} className={looks} />
        ) : (
          <input {...input} type="text" className={looks} />
        )}
        <IconButton
          className="absolute end-1 top-1 max-md:end-1.5 max-md:top-1.5 max-md:size-8"
          label={t("field.insertVariable", { field: label })}
          onMouseDown={(event) => event.preventDefault()}
          onClick={insert}
        >
          <Braces className="size-3.5" />
        </IconButton>
        {isOpen && (
          <div
            ref={popup}
            className="absolute inset-x-0 top-full z-(--layer-menu) mt-1 max-h-60 overflow-auto rounded-md border border-line bg-overlay p-1 shadow-float scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent"
            onMouseDown={(event) => event.preventDefault()}
          >
            {base !== null && (
              <button
                type="button"
                // The keyboard goes back with the Backspace key.
                tabIndex={-1}
                className="mb-1 flex min-h-8 w-full items-center gap-2 rounded-sm px-1 text-start text-xs text-fg-2 hover:bg-hover max-md:min-h-11"
                onClick={() => goTo(baseOf(base) === null ? "" : `${baseOf(base)}.`)}
              >
                <ChevronLeft className="size-4 flex-none rtl:-scale-x-100" aria-hidden="true" />
                <span className="sr-only">{t("field.back")}</span>
                <code className="min-w-0 font-mono wrap-anywhere">{base}</code>
              </button>
            )}
            {suggestions.length === 0 ? (
              <p className="px-2 py-1.5 text-fg-3" role="status">
                {none}
              </p>
            ) : (
              <ul id={listId} role="listbox" aria-label={t("field.suggestions")}>
                {suggestions.map((suggestion, index) => (
                  <VariableOption
                    key={suggestion.path}
                    id={`${listId}-${index}`}
                    suggestion={suggestion}
                    isActive={index === at}
                    onPick={() => pick(suggestion)}
                    onInto={goTo}
                  />
                ))}
              </ul>
            )}
            {active?.into && (
              <p className="px-2 pt-1 text-xs text-fg-3 max-md:hidden">
                {t("field.intoHint", { key: keyInto() === "ArrowLeft" ? "←" : "→" })}
              </p>
            )}
          </div>
        )}
      </div>
      {problem !== null ? (
        <FieldError id={noteId}>{problem}</FieldError>
      ) : (
        help !== undefined && <FieldHelp id={noteId}>{help}</FieldHelp>
      )}
    </Field>
  );
}
