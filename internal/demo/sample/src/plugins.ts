export function pluginNames(): string[] {
  return [];
}
