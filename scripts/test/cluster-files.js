export const CLUSTER_FILES = [];
