interface Group {
  kind: 'value' | 'other' | 'none';
  value: string | null;
}

/** How a group of a report that is broken down is called. */
export function groupWords({ kind, value }: Group): string {
  if (kind === 'other') return 'All others';
  if (kind === 'none') return 'Not set';
  return value || '""';
}

/** What the events of a group have in common; what is no value is told apart from any. */
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
