/** Three dots: text is being generated. Pass `label` where no other text says so. */
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
