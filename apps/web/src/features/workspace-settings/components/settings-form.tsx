import { useId, useRef, type ComponentProps, type FormEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import {
  Field,
  FieldError,
  FieldHelp,
  Textarea,
  labelStyles,
} from "../../../components/ui/field.tsx";
import { PageBody, SaveBar, settingsColumn } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { cn } from "../../../lib/cn.ts";
import { useSubmission } from "../../../lib/query-client.ts";
import { toast, undoing } from "../../../lib/toast.ts";

/** Names and values in two columns. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[minmax(120px,max-content)_minmax(0,1fr)] items-center gap-x-5 gap-y-1.5 max-md:gap-x-4 max-md:gap-y-0.5">
    {children}
  </dl>
);

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-fg-3">{name}</dt>
    <dd className="flex min-h-7 min-w-0 items-center gap-2 tabular-nums">{children}</dd>
  </>
);

/**
 * A settings form: validation errors appear at their fields, server errors above the button, and
 * nothing typed is lost. `onSave` throws an error whose message is shown; it may return an undo
 * function for the toast.
 */
export function SettingsForm({
  label,
  done,
  changes,
  faults,
  onSave,
  onDiscard,
  children,
}: {
  label: string;
  /** Toast after saving; by default it says that the workspace was saved. */
  done?: string;
  changes: number;
  faults: number;
  onSave: () => Promise<void | (() => Promise<unknown>)>;
  onDiscard: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation("workspace");
  const form = useRef<HTMLFormElement>(null);
  const { submit, busy, error, clearError } = useSubmission(async () => {
    const undo = await onSave();
    toast.success(done ?? t("saved"), undo ? undoing(undo) : undefined);
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy || changes === 0) return;
    if (faults > 0)
      return form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    submit(undefined);
  };
  return (
    <form
      ref={form}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
      aria-label={label}
      onSubmit={onSubmit}
      noValidate
    >
      <PageBody>
        <div className={cn(settingsColumn, "gap-8")}>{children}</div>
      </PageBody>
      {error && (
        <div className="flex-none px-6 pb-3 max-md:px-4">
          <div className={settingsColumn}>
            <Notice kind="bad">
              <p>
                <b>{t("notSaved")}</b> {error.message}
              </p>
            </Notice>
          </div>
        </div>
      )}
      <SaveBar
        changes={changes}
        faults={faults}
        busy={busy}
        onDiscard={() => {
          onDiscard();
          clearError();
        }}
      />
    </form>
  );
}

/** A radio group in which every option has a description; the arrow keys move, as usual. */
export function ChoiceList<V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: V;
  options: { value: V; name: string; help?: ReactNode }[];
  onChange: (value: V) => void;
}) {
  const name = useId();
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className={cn(labelStyles, "mb-1.5")}>{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex cursor-pointer items-start gap-2.5 rounded-md border border-line bg-surface px-3 py-2.5 hover:border-strong has-checked:border-accent-line has-checked:bg-accent-subtle has-focus-visible:outline-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            className="mt-[3px] size-4 flex-none cursor-pointer appearance-none rounded-full border-[1.5px] border-control bg-surface outline-none checked:border-[5px] checked:border-accent-solid"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className="min-w-0 flex-1">
            <b className="font-medium">{option.name}</b>
            {option.help && <span className="text-fg-2 block">{option.help}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/**
 * A labelled multi-line field with its help text or error below. `extra` goes at the end of the
 * label's line.
 */
export function TextArea({
  label,
  extra,
  help,
  problem,
  ...area
}: {
  label: string;
  extra?: ReactNode;
  help?: ReactNode;
  problem?: string | null | undefined;
} & ComponentProps<"textarea">) {
  const id = useId();
  return (
    <Field>
      <div className={labelStyles}>
        <label htmlFor={id}>{label}</label>
        {extra}
      </div>
      <Textarea
        className="min-h-19"
        {...area}
        id={id}
        invalid={Boolean(problem)}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem || help ? `${id}-note` : undefined}
      />
      {problem ? (
        <FieldError id={`${id}-note`} role="alert">
          {problem}
        </FieldError>
      ) : (
        help && <FieldHelp id={`${id}-note`}>{help}</FieldHelp>
      )}
    </Field>
  );
}
