export const Mark = () => (
  <svg class="mark" viewBox="1.5 2 20 20" aria-hidden="true">
    <path d="M16 5.2H9.2A4.8 4.8 0 0 0 4.4 10v4a4.8 4.8 0 0 0 4.8 4.8H16" />
    <circle cx="15.9" cy="12" r="2.7" />
  </svg>
);
