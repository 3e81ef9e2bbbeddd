import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Check, Moon, Sun } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LanguagePicker } from "../../../components/language-picker.tsx";
import {
  Button,
  IconButton,
  buttonStyles,
  type ButtonProps,
} from "../../../components/ui/button.tsx";
import { Logo } from "../../../components/ui/logo.tsx";
import { usePageTitle } from "../../../lib/brand.ts";
import { addTexts } from "../../../lib/i18n.ts";
import { chooseTheme, useTheme } from "../../../lib/theme.ts";
import { toast } from "../../../lib/toast.ts";
import onboarding from "../../../locales/en/onboarding.json" with { type: "json" };
import { useFinishOnboarding } from "../api/onboarding.ts";
import { stepsWith, type Step } from "../state/steps.ts";

const column = "mx-auto w-full max-w-[720px] px-8 max-md:px-4";

/**
 * One step: a question, its fields, and the buttons below. If a step asks for nothing at first, its
 * heading gets focus, so that screen readers announce it.
 */
export function StepPage({
  title,
  sentence,
  back,
  footer,
  focusesHeading = true,
  children,
}: {
  title: string;
  sentence: string;
  /** The previous step. */
  back: Step;
  footer: ReactNode;
  focusesHeading?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation("onboarding");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focusesHeading) heading.current?.focus();
  }, [focusesHeading]);
  return (
    <>
      <div className="min-h-0 flex-1 overflow-auto scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent">
        <div className={`${column} py-16 max-md:py-6`}>
          <h1
            ref={heading}
            className="text-2xl font-[560] tracking-tight text-balance outline-none max-md:text-[24px]/7.5"
            tabIndex={-1}
          >
            {title}
          </h1>
          <p className="mt-1.5 mb-7 max-w-[60ch] text-md text-fg-2 max-md:mb-5">{sentence}</p>
          {children}
        </div>
      </div>
      <footer className="flex-none border-t border-subtle bg-surface" data-bottom-bar>
        <div
          className={`${column} flex items-center gap-2 py-4 max-md:py-3 max-md:[&>:is(a,button)]:min-h-11`}
        >
          <Link
            className={buttonStyles({ variant: "quiet", className: "-ms-3" })}
            {...(back === "home"
              ? { to: "/onboarding" }
              : { to: "/onboarding/$step", params: { step: back } })}
          >
            {t("back")}
          </Link>
          <span className="flex-1" />
          {footer}
        </div>
      </footer>
    </>
  );
}

/** The shortcut past the wizard: a workspace that answers with quotes, without a model. */
export function StartWithoutKey({
  onCreated,
  settings = {},
  ...button
}: {
  onCreated: (slug: string) => void;
  /** Settings chosen so far. */
  settings?: Record<string, string>;
} & Pick<ButtonProps, "size" | "variant" | "className">) {
  const { t } = useTranslation("onboarding");
  const finish = useFinishOnboarding();
  return (
    <Button
      {...button}
      disabled={finish.isPending}
      onClick={() =>
        finish.mutate(
          { name: t("start.workspace"), settings },
          {
            onSuccess: ({ slug }) => onCreated(slug),
            onError: ({ message }) => toast.error(t("start.failed", { message })),
          },
        )
      }
    >
      {finish.isPending ? t("start.starting") : t("start.withoutKey")}
    </Button>
  );
}

// Loaded with the wizard, not with the first page.
addTexts("onboarding", onboarding);

/**
 * The wizard's page: its steps on the left, or their number above on phones, and the current step.
 */
export function OnboardingFrame({
  step,
  surveyAddress,
  children,
}: {
  step: Step;
  /** null: there is no survey. */
  surveyAddress: string | null;
  children: ReactNode;
}) {
  const { t } = useTranslation("onboarding");
  const theme = useTheme();
  const steps = stepsWith(surveyAddress);
  const current = steps.indexOf(step);
  usePageTitle(t(`step.${step}`));
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] overflow-hidden bg-surface md:grid-cols-[minmax(220px,300px)_minmax(0,1fr)]">
      <aside className="flex flex-col gap-10 overflow-auto border-e border-subtle bg-canvas p-6 max-md:hidden">
        <div className="flex">
          <Logo height={22} />
        </div>
        <nav aria-label={t("steps")}>
          <ol className="grid">
            {steps.map((name, index) => (
              <StepRow key={name} name={name} number={index + 1} current={current} />
            ))}
          </ol>
        </nav>
        <p className="mt-auto text-xs text-fg-3">{t("later")}</p>
      </aside>
      <main className="flex min-h-0 min-w-0 flex-col" id="main">
        <div className="flex flex-none items-center gap-3 px-6 py-4 max-md:px-4 max-md:py-2 md:absolute md:end-0 md:top-0 md:z-1">
          <span className="md:hidden">
            <Logo height={20} />
          </span>
          <span className="flex-1 text-end text-xs text-fg-3 tabular-nums md:hidden">
            {t("progress", { number: current + 1, count: steps.length })}
          </span>
          <LanguagePicker className="w-auto max-md:h-10 max-md:max-w-30" />
          <IconButton
            className="max-md:size-10"
            label={theme === "light" ? t("dark") : t("light")}
            onClick={() => chooseTheme(theme === "light" ? "default" : "light")}
          >
            {theme === "light" ? <Moon /> : <Sun />}
          </IconButton>
        </div>
        <div
          className="h-0.5 flex-none bg-subtle md:hidden"
          role="progressbar"
          aria-label={t("steps")}
          aria-valuemin={1}
          aria-valuemax={steps.length}
          aria-valuenow={current + 1}
        >
          <div
            className="h-full bg-accent-solid"
            style={{ inlineSize: `${((current + 1) / steps.length) * 100}%` }}
          />
        </div>
        {children}
      </main>
    </div>
  );
}

/** A step in the list; those before the current one lead back to it. */
function StepRow({ name, number, current }: { name: Step; number: number; current: number }) {
  const { t } = useTranslation("onboarding");
  const isDone = number - 1 < current;
  const isCurrent = number - 1 === current;
  const content = (
    <>
      <span
        className={clsx(
          "grid size-5 flex-none place-items-center rounded-full text-[11px] leading-none font-semibold tabular-nums",
          isCurrent
            ? "bg-accent-solid text-on-accent"
            : isDone
              ? "bg-accent-subtle text-accent inset-ring inset-ring-accent-line"
              : "text-fg-3 inset-ring inset-ring-strong",
        )}
        aria-hidden="true"
      >
        {isDone ? <Check className="size-3 stroke-3" /> : number}
      </span>
      <span className={clsx("min-w-0 flex-1", isCurrent && "font-medium text-fg-1")}>
        {t(`step.${name}`)}
        {isDone && <span className="sr-only">, {t("done")}</span>}
      </span>
      {name === "survey" && <span className="text-xs text-fg-3">{t("optional")}</span>}
    </>
  );
  const row = "flex min-h-7 items-center gap-3 rounded-sm text-fg-2";
  return (
    <li
      className="relative pb-3.5 not-last:before:absolute not-last:before:start-2.5 not-last:before:top-6 not-last:before:bottom-0 not-last:before:w-px not-last:before:bg-line"
      aria-current={isCurrent ? "step" : undefined}
    >
      {isDone ? (
        <Link className={clsx(row, "hover:text-fg-1")} {...addressOf(name)}>
          {content}
        </Link>
      ) : (
        <div className={row}>{content}</div>
      )}
    </li>
  );
}

const addressOf = (step: Step) =>
  step === "home"
    ? ({ to: "/onboarding" } as const)
    : ({ to: "/onboarding/$step", params: { step } } as const);
