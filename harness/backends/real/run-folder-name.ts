/** How temporary folders of runs begin; nothing else is ever removed by the supervisor. */
export const FOLDER_PREFIX = "redlock-lab-";
