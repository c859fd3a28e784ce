double a[10];
for (int i = 0; i < 11; ++i)        a[i] = 1.0;
