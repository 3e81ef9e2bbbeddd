/** `value` is 0 to 1; `label` describes the operation. */
export function ProgressBar({ value, label }: { value: number; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <span
      className="block h-0.75 overflow-hidden rounded-[2px] bg-active"
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i
        className="block h-full rounded-[inherit] bg-accent-solid"
        style={{ inlineSize: `${percent}%` }}
      />
    </span>
  );
}
