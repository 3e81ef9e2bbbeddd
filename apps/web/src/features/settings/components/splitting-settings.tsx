import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { saveSplitting, splittingQuery, type Splitting } from "../api/splitting.ts";

/** Shorter passages say nothing by themselves. */
const shortestOf = (longest: number): number => Math.min(50, longest);

/** Length and overlap of passages, as typed. */
export function SplittingSettings() {
  const { t } = useTranslation("settings");
  const query = useQuery(splittingQuery);
  if (query.error)
    return (
      <div className="set-body">
        <Notice
          kind="bad"
          action={
            <button type="button" className="btn sm" onClick={() => void query.refetch()}>
              {t("retry")}
            </button>
          }
        >
          <p>
            <b>{t("loadFailed")}</b>
          </p>
          <p>{query.error.message}</p>
        </Notice>
      </div>
    );
  if (!query.data)
    return (
      <div className="set-body grid content-start gap-4" aria-busy="true" aria-label={t("loading")}>
        {[40, 70, 55].map((width) => (
          <span className="skel" key={width} style={{ inlineSize: `${width}%` }} />
        ))}
      </div>
    );
  return <SplittingForm saved={query.data} />;
}

function SplittingForm({ saved }: { saved: Splitting }) {
  const { t } = useTranslation("settings");
  const [typed, setTyped] = useState<{ size?: string; overlap?: string }>({});
  const [submitted, setSubmitted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const size = typed.size ?? String(saved.size);
  const overlap = typed.overlap ?? String(saved.overlap);
  const whole = (text: string): number | null =>
    /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
  const [length, shared] = [whole(size), whole(overlap)];
  const shortest = shortestOf(saved.longest);
  const sizeFault =
    length === null || length < shortest || length > saved.longest
      ? t("splitting.sizeFault", {
          least: formatNumber(shortest),
          most: formatNumber(saved.longest),
        })
      : null;
  const overlapFault =
    shared === null || (length !== null && shared > length / 2)
      ? t("splitting.overlapFault")
      : null;
  const changed = length !== saved.size || shared !== saved.overlap;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setSubmitted(true);
    if (busy || !changed) return;
    if (length === null || shared === null || sizeFault || overlapFault)
      return form.current?.querySelector<HTMLElement>("input")?.focus();
    setBusy(true);
    setProblem(null);
    try {
      await saveSplitting(length, shared);
      setTyped({});
      setSubmitted(false);
      toast.success(t("splitting.saved"));
    } catch (fault) {
      setProblem(
        t("splitting.failed", { message: fault instanceof Error ? fault.message : String(fault) }),
      );
    } finally {
      setBusy(false);
    }
  };
  const field = { type: "text", inputMode: "numeric", autoComplete: "off", dir: "ltr" } as const;
  return (
    <form
      ref={form}
      className="set-form grow"
      aria-label={t("page.splitting")}
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      <div className="set-body">
        <div className="form">
          <TextField
            {...field}
            label={t("splitting.size")}
            value={size}
            problem={submitted || typed.size ? sizeFault : null}
            help={t("splitting.sizeHelp", { most: formatNumber(saved.longest) })}
            onChange={(event) => setTyped({ ...typed, size: event.target.value })}
          />
          <TextField
            {...field}
            label={t("splitting.overlap")}
            value={overlap}
            problem={submitted || typed.overlap ? overlapFault : null}
            help={t("splitting.overlapHelp")}
            onChange={(event) => setTyped({ ...typed, overlap: event.target.value })}
          />
          <Notice>
            <p>{t("splitting.onlyNew")}</p>
          </Notice>
          {problem && (
            <Notice kind="bad">
              <p>{problem}</p>
            </Notice>
          )}
        </div>
      </div>
      <footer className="save">
        <button type="submit" className="btn primary" disabled={busy || !changed}>
          {busy ? t("saving") : t("splitting.save")}
        </button>
        {changed && (
          <button
            type="button"
            className="btn quiet"
            onClick={() => {
              setTyped({});
              setSubmitted(false);
              setProblem(null);
            }}
          >
            {t("discard")}
          </button>
        )}
      </footer>
    </form>
  );
}
