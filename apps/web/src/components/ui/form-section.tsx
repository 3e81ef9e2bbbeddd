import { useBlocker } from "@tanstack/react-router";
import { cva, type VariantProps } from "class-variance-authority";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, type ComponentProps, type ReactNode, type Ref } from "react";
import { useTranslation } from "react-i18next";
import { joinFacts } from "../../lib/format.ts";
import { Button } from "./button.tsx";
import { ConfirmDialog } from "./overlays.tsx";

const pageBody = cva("flex-1 overflow-auto px-6 py-6 max-md:px-4 max-md:py-5", {
  variants: {
    inside: {
      page: "",
      /** Next to a list of providers; on phones the whole page scrolls instead. */
      split: "max-md:overflow-visible",
    },
  },
  defaultVariants: { inside: "page" },
});

/** The width of a settings page's text and fields. */
export const settingsColumn = "grid max-w-[640px] grid-cols-1";

/** The scrolling part of a settings page. */
export const PageBody = ({
  inside,
  className,
  ...rest
}: ComponentProps<"div"> & VariantProps<typeof pageBody>) => (
  <div {...rest} className={pageBody({ inside, className })} />
);

/** The buttons of a form, below its scrolling body. */
const ActionBar = ({ children }: { children: ReactNode }) => (
  <footer
    data-bottom-bar
    className="flex flex-none items-center gap-2 border-t border-subtle bg-surface px-6 py-3 max-md:sticky max-md:bottom-0 max-md:z-2 max-md:px-4 max-md:[&>button]:h-11"
  >
    {children}
  </footer>
);

/**
 * The bar at the end of every settings page that saves anything: its button, the number of changes,
 * and a warning before leaving the page with unsaved ones.
 */
export function SaveBar({
  changes,
  unsavedElsewhere = false,
  faults,
  busy,
  action,
  canSave = changes > 0,
  onDiscard,
}: {
  changes: number;
  /** Whether leaving the page loses more than the changes counted here. */
  unsavedElsewhere?: boolean;
  faults: number;
  busy: boolean;
  /** The button's label, if saving does more than save. */
  action?: string;
  /** Whether there is something to save even without changes. */
  canSave?: boolean;
  onDiscard: () => void;
}) {
  const { t } = useTranslation();
  const dirty = changes > 0;
  const blocked = useBlocker({
    shouldBlockFn: () => dirty || unsavedElsewhere,
    enableBeforeUnload: () => dirty || unsavedElsewhere,
    withResolver: true,
  });
  return (
    <ActionBar>
      <Button type="submit" variant="primary" disabled={!canSave || busy}>
        {busy ? t("saveBar.saving") : (action ?? t("saveBar.save"))}
      </Button>
      {dirty && (
        <Button variant="quiet" disabled={busy} onClick={onDiscard}>
          {t("saveBar.discard")}
        </Button>
      )}
      <span className="min-w-0 flex-1" />
      <span className="text-fg-3 text-xs tabular-nums" role="status">
        {joinFacts([
          dirty && t("saveBar.changes", { count: changes }),
          faults > 0 && t("saveBar.toCorrect", { count: faults }),
        ])}
      </span>
      {blocked.status === "blocked" && (
        <ConfirmDialog
          open
          title={t("saveBar.leaveTitle")}
          text={t("saveBar.leaveText")}
          action={t("saveBar.leave")}
          onConfirm={async () => blocked.proceed()}
          onClose={() => blocked.reset()}
        />
      )}
    </ActionBar>
  );
}

/** A titled section of a settings page, separated from the previous one. */
export function FormSection({
  title,
  help,
  ref,
  children,
}: {
  title: ReactNode;
  help?: ReactNode;
  ref?: Ref<HTMLElement>;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <section
      ref={ref}
      className="grid grid-cols-1 gap-4 border-subtle [section+&]:border-t [section+&]:pt-8"
      aria-labelledby={id}
    >
      <div>
        <h2 id={id} className="text-md font-semibold">
          {title}
        </h2>
        {help && <p className="text-fg-2">{help}</p>}
      </div>
      {children}
    </section>
  );
}

/** Rarely needed settings behind a button. */
export function Disclosure({
  label,
  open,
  onToggle,
  children,
}: {
  label: ReactNode;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}) {
  return (
    <div className="rounded-md border border-line">
      <button
        type="button"
        className="flex w-full items-center gap-2 rounded-md px-4 py-2.5 font-medium [&_svg]:text-fg-3"
        aria-expanded={open}
        onClick={onToggle}
      >
        {open ? (
          <ChevronDown className="size-3.5 stroke-2" aria-hidden="true" />
        ) : (
          <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
        )}
        {label}
      </button>
      {open && <div className="grid gap-4 px-4 pt-1 pb-4">{children}</div>}
    </div>
  );
}
