export interface Config {
  name: string;
  plugins: string[];
}

// parseConfig reads a configuration from its text.
export function parseConfig(text: string): Config {
  const raw = JSON.parse(text);
  return { name: raw.name ?? "app", plugins: raw.plugins ?? [] };
}
