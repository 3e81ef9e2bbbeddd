import { listPreferences, updatePreferences, type Args } from "@carrel/contracts";
import { queryOptions, useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { PageBody, SaveBar, settingsColumn } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { call } from "../../../lib/api.ts";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";
import { toast, undoing } from "../../../lib/toast.ts";
import { SettingsBoundary } from "./settings-page.tsx";

const splittingKeys = { settings: ["splitting"] } as const;

interface Splitting {
  /** In characters. */
  size: number;
  overlap: number;
  /** The longest text the embedder accepts, in characters. */
  maxSize: number;
}
const numberOf = (value: unknown, fallback: number): number =>
  value !== null && value !== undefined && Number.isFinite(Number(value))
    ? Number(value)
    : fallback;

/** How documents are split into passages; defaults from wire-contract 6.4. */
const splittingQuery = queryOptions({
  queryKey: splittingKeys.settings,
  queryFn: ({ signal }) =>
    call(
      listPreferences,
      { labels: "text_splitter_chunk_size,text_splitter_chunk_overlap,max_embed_chunk_size" },
      { signal },
    ),
  select: ({ settings }): Splitting => {
    const maxSize = numberOf(settings.max_embed_chunk_size, 1000);
    return {
      size: Math.min(numberOf(settings.text_splitter_chunk_size, maxSize), maxSize),
      overlap: numberOf(settings.text_splitter_chunk_overlap, 20),
      maxSize,
    };
  },
});

const useSaveSplitting = () =>
  useMutation({
    mutationFn: async ({ size, overlap }: Pick<Splitting, "size" | "overlap">) => {
      // The request body is the flat map itself.
      const preferences = {
        text_splitter_chunk_size: String(size),
        text_splitter_chunk_overlap: String(overlap),
      } as unknown as Args<typeof updatePreferences>;
      await call(updatePreferences, preferences);
    },
    meta: { invalidates: [splittingKeys.settings], errorToast: false },
  });

/** Shorter passages have too little meaning. */
const minSizeFor = (maxSize: number): number => Math.min(50, maxSize);

/** Passage length and overlap, kept as typed. */
export function SplittingSettings() {
  return (
    <SettingsBoundary>
      <SplittingForm />
    </SettingsBoundary>
  );
}

function SplittingForm() {
  const { data: saved } = useSuspenseQuery(splittingQuery);
  const save = useSaveSplitting();
  const { t } = useTranslation("settings");
  const [typed, setTyped] = useState<{ size?: string; overlap?: string }>({});
  const [submitted, setSubmitted] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const size = typed.size ?? String(saved.size);
  const overlap = typed.overlap ?? String(saved.overlap);
  const whole = (text: string): number | null =>
    /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
  const [length, shared] = [whole(size), whole(overlap)];
  const minSize = minSizeFor(saved.maxSize);
  const sizeFault =
    length === null || length < minSize || length > saved.maxSize
      ? t("splitting.sizeFault", {
          min: formatNumber(minSize),
          max: formatNumber(saved.maxSize),
        })
      : null;
  const overlapFault =
    shared === null || (length !== null && shared > length / 2)
      ? t("splitting.overlapFault")
      : null;
  const changed = length !== saved.size || shared !== saved.overlap;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setSubmitted(true);
    if (save.isPending || !changed) return;
    if (length === null || shared === null || sizeFault || overlapFault)
      return form.current?.querySelector<HTMLElement>("input")?.focus();
    const { size: sizeBefore, overlap: overlapBefore } = saved;
    const onSuccess = (): void => {
      setTyped({});
      setSubmitted(false);
      toast.success(
        t("splitting.saved"),
        undoing(() => save.mutateAsync({ size: sizeBefore, overlap: overlapBefore })),
      );
    };
    save.mutate({ size: length, overlap: shared }, { onSuccess });
  };
  const field = {
    type: "text",
    inputMode: "numeric",
    autoComplete: "off",
    dir: "ltr",
    className: "max-w-[200px] max-md:max-w-none",
  } as const;
  return (
    <form
      ref={form}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
      aria-label={t("page.splitting")}
      onSubmit={submit}
      noValidate
    >
      <PageBody>
        <div className={cn(settingsColumn, "gap-5")}>
          <TextField
            {...field}
            label={t("splitting.size")}
            value={size}
            problem={submitted || typed.size ? sizeFault : null}
            help={t("splitting.sizeHelp", { max: formatNumber(saved.maxSize) })}
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
          {save.error && (
            <Notice kind="bad">
              <p>{t("splitting.failed", { message: save.error.message })}</p>
            </Notice>
          )}
        </div>
      </PageBody>
      <SaveBar
        changes={Number(length !== saved.size) + Number(shared !== saved.overlap)}
        faults={submitted ? Number(sizeFault !== null) + Number(overlapFault !== null) : 0}
        busy={save.isPending}
        onDiscard={() => {
          setTyped({});
          setSubmitted(false);
          save.reset();
        }}
      />
    </form>
  );
}
