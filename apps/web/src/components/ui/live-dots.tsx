/** Three dots: something is being written. `label` for where they stand alone. */
export function LiveDots({ label }: { label?: string }) {
  return (
    <span
      className="live"
      title={label}
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <i />
      <i />
      <i />
    </span>
  );
}
