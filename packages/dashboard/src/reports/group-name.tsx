interface Group {
  kind: 'value' | 'other' | 'none';
  value: string | null;
}

export function groupWords({ kind, value }: Group): string {
  if (kind === 'other') return 'All others';
  if (kind === 'none') return 'Not set';
  return value || '""';
}

/** The name of a group. The groups `other` and `none` look different from every value. */
export function GroupName({ group }: { group: Group }) {
  const isValue = group.kind === 'value';
  return (
    <span
      className="truncate"
      title={groupWords(group)}
      style={isValue ? undefined : { color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' }}
    >
      {groupWords(group)}
    </span>
  );
}
